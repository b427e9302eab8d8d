//! `#[derive(GatedBlock)]`: rust-hdl's `Block` for blocks that do nothing while nothing changes.
//!
//! rust-hdl's own derive runs a block's kernel and compares all its signals in every pass of a clock. A core has a
//! hundred blocks and a clock a dozen passes, and in most passes most blocks stand still. This derive keeps, in a field
//! `_gate: Gate`, what changed within the block in the last pass, and does of a pass only what that asks for:
//!
//! | what changed | what is done |
//! | --- | --- |
//! | an input, or what a part drives | the kernel runs; outputs are compared; every part is looked at |
//! | the clock only | it is handed to every part; the kernel, a function of all else, would give what it gave |
//! | something deep within a part | every part that may have something to do is looked at |
//! | nothing | nothing |
//!
//! What the kernel itself drives needs no second run: it reads its outputs and local signals only after it has driven
//! them, and the inputs of its parts not at all. The emitter refuses any other kernel: the first is a loop to rust-hdl's
//! checks, the second `EmitError::PartsInput`.
//!
//! Inputs are taken over before the kernel runs, so in one pass a value, or a level of the clock, goes down through all
//! gated levels to the leaves; rust-hdl's derive takes them over afterwards, a level a pass. What is driven upwards is seen in
//! the next pass, as ever: so an edge reaches every leaf before anything that the same edge changed. Values at rest are the same.
#![warn(missing_docs)]

use proc_macro::TokenStream;
use quote::quote;
use syn::{parse_macro_input, Data, DeriveInput, Error, Fields, FieldsNamed, Ident, Type};

/// Implements rust-hdl's `Block`, and `rayman_rtl::gate::Gated`, for a struct of signals and blocks with a field `_gate: Gate`.
///
/// Fields whose names begin with an underscore are not part of the block, as in rust-hdl's derive. A `Signal<In, Clock>`, of
/// which there is at most one, is the block's clock. A field that is a `Signal<In, _>`, an array or `Vec` of them, or marked
/// `#[interface]` (a bundle that has inputs) is looked at in every pass, before the kernel. What is no signal is a part, and
/// has to be `Gated`.
#[proc_macro_derive(GatedBlock, attributes(interface))]
pub fn gated_block(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// The fields of a block by what is done with them.
#[derive(Default)]
struct Roles<'a> {
    gate: Option<&'a Ident>,
    clock: Option<&'a Ident>,
    inputs: Vec<&'a Ident>,
    /// Bundles have both directions: they are looked at before the kernel and behind it.
    bundles: Vec<&'a Ident>,
    outputs: Vec<&'a Ident>,
    locals: Vec<&'a Ident>,
    parts: Vec<(&'a Ident, &'a Type)>,
    /// All of them but the gate, in the order in which they are written.
    all: Vec<&'a Ident>,
}

impl<'a> Roles<'a> {
    fn of(fields: &'a FieldsNamed) -> Result<Self, Error> {
        let mut roles = Self::default();
        for field in &fields.named {
            let name = field.ident.as_ref().expect("the fields are named");
            if name == "_gate" {
                roles.gate = Some(name);
                continue;
            }
            if name.to_string().starts_with('_') {
                continue;
            }
            roles.all.push(name);
            let signal = signal(&field.ty);
            if field.attrs.iter().any(|attribute| attribute.path().is_ident("interface")) {
                roles.bundles.push(name);
            } else if let Some(Signal { direction, clock }) = signal {
                match direction.to_string().as_str() {
                    "In" if clock && roles.clock.is_some() => {
                        return Err(Error::new_spanned(name, "a gated block has one clock"));
                    }
                    "In" if clock => roles.clock = Some(name),
                    "In" => roles.inputs.push(name),
                    "Out" => roles.outputs.push(name),
                    "Local" => roles.locals.push(name),
                    _ => return Err(Error::new_spanned(direction, "a gated block's signals are In, Out or Local")),
                }
            } else {
                roles.parts.push((name, &field.ty));
            }
        }
        Ok(roles)
    }
}

fn expand(input: &DeriveInput) -> Result<proc_macro2::TokenStream, Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a block is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "a block has named fields"));
    };
    let Roles { gate, clock, inputs, bundles, outputs, locals, parts, all } = Roles::of(fields)?;
    let gate = gate.ok_or_else(|| Error::new_spanned(&input.ident, "a gated block needs a field `_gate: Gate`"))?;
    let (parts, part_types): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let names: Vec<String> = all.iter().map(|name| name.to_string()).collect();
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let gated = quote!(rayman_rtl::gate::Gated);
    let tick = clock.map(|clock| {
        quote! {
            let level = self.#clock.val();
            #(#gated::tick(&mut self.#parts, level);)*
        }
    });
    let clock: Vec<&Ident> = clock.into_iter().collect();
    Ok(quote! {
        impl #impl_generics rust_hdl_core::block::Block for #ident #ty_generics #where_clause {
            fn connect_all(&mut self) {
                rust_hdl_core::logic::Logic::connect(self);
                #(rust_hdl_core::block::Block::connect_all(&mut self.#all);)*
            }

            fn update_all(&mut self) {
                let mut edge = false;
                #(
                    rust_hdl_core::block::Block::update_all(&mut self.#clock);
                    edge |= rust_hdl_core::block::Block::has_changed(&self.#clock);
                )*
                let mut run = self.#gate.live;
                #(
                    rust_hdl_core::block::Block::update_all(&mut self.#inputs);
                    run |= rust_hdl_core::block::Block::has_changed(&self.#inputs);
                )*
                #(
                    rust_hdl_core::block::Block::update_all(&mut self.#bundles);
                    run |= rust_hdl_core::block::Block::has_changed(&self.#bundles);
                )*
                self.#gate.told = false;
                if !(run || edge || self.#gate.within) {
                    return;
                }
                if run {
                    rust_hdl_core::logic::Logic::update(self);
                    let mut told = false;
                    #(
                        rust_hdl_core::block::Block::update_all(&mut self.#outputs);
                        told |= rust_hdl_core::block::Block::has_changed(&self.#outputs);
                    )*
                    #(
                        rust_hdl_core::block::Block::update_all(&mut self.#bundles);
                        told |= rust_hdl_core::block::Block::has_changed(&self.#bundles);
                    )*
                    self.#gate.told = told;
                } else if edge {
                    #tick
                    // Everything before this edge has come to rest. Local signals take no part in that; a waveform shows them.
                    #(rust_hdl_core::block::Block::update_all(&mut self.#locals);)*
                }
                let (mut live, mut within) = (false, false);
                #(
                    if edge || !<#part_types as #gated>::LEAF {
                        rust_hdl_core::block::Block::update_all(&mut self.#parts);
                        live |= #gated::told(&self.#parts);
                        within |= !<#part_types as #gated>::LEAF
                            && rust_hdl_core::block::Block::has_changed(&self.#parts);
                    }
                )*
                self.#gate.live = live;
                self.#gate.within = within;
            }

            fn has_changed(&self) -> bool {
                self.#gate.live | self.#gate.within | self.#gate.told
            }

            fn accept(&self, name: &str, probe: &mut dyn rust_hdl_core::probe::Probe) {
                probe.visit_start_scope(name, self);
                #(rust_hdl_core::block::Block::accept(&self.#all, #names, probe);)*
                probe.visit_end_scope(name, self);
            }
        }

        impl #impl_generics #gated for #ident #ty_generics #where_clause {
            const LEAF: bool = false;

            fn tick(&mut self, level: rust_hdl_core::clock::Clock) {
                #(self.#clock.next = level;)*
            }

            fn told(&self) -> bool {
                self.#gate.told
            }
        }
    })
}

/// What a field that is a signal is.
struct Signal<'a> {
    direction: &'a Ident,
    clock: bool,
}

/// `Signal<direction, _>`, or an array or `Vec` of them.
fn signal(ty: &Type) -> Option<Signal<'_>> {
    match ty {
        Type::Array(array) => signal(&array.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            let mut types = arguments.args.iter().filter_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            match (last.ident.to_string().as_str(), types.next()?, types.next()) {
                ("Signal", Type::Path(direction), Some(Type::Path(value))) => Some(Signal {
                    direction: &direction.path.segments.last()?.ident,
                    clock: value.path.segments.last()?.ident == "Clock",
                }),
                ("Vec", element, None) => signal(element),
                _ => None,
            }
        }
        _ => None,
    }
}
