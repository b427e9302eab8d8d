//! `#[derive(GatedBlock)]`: rust-hdl's `Block` for blocks that do nothing while nothing changes.
//!
//! rust-hdl's own derive runs a block's kernel and compares all its signals in every pass of a clock. A core has a
//! hundred blocks and a clock a dozen passes, and in most passes most blocks stand still. This derive keeps, in a field
//! `_gate: Gate`, whether anything within the block changed in the last pass, and otherwise looks at the block's inputs only.
//!
//! Inputs are taken over before the kernel runs, so in one pass a value, or a level of the clock, goes down through all
//! gated levels to the leaves; rust-hdl's derive takes them over afterwards, a level a pass. What is driven upwards is seen in
//! the next pass, as ever: so an edge reaches every leaf before anything that the same edge changed. Values at rest are the same.
#![warn(missing_docs)]

use proc_macro::TokenStream;
use quote::quote;
use syn::{parse_macro_input, Data, DeriveInput, Error, Fields, Ident, Type};

/// Implements rust-hdl's `Block` for a struct of signals and blocks with a field `_gate: Gate`.
///
/// Fields whose names begin with an underscore are not part of the block, as in rust-hdl's derive. A field that is a
/// `Signal<In, _>`, an array or `Vec` of them, or marked `#[interface]` (a bundle that has inputs) is looked at in every
/// pass, before the kernel; the kernel and all others run only when an input changed, or something else in the pass before.
#[proc_macro_derive(GatedBlock, attributes(interface))]
pub fn gated_block(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<proc_macro2::TokenStream, Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a block is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "a block has named fields"));
    };
    let mut all: Vec<&Ident> = Vec::new();
    let mut inputs: Vec<&Ident> = Vec::new();
    // A bundle has both directions: it is looked at before the kernel and behind it.
    let mut others: Vec<&Ident> = Vec::new();
    let mut gate = None;
    for field in &fields.named {
        let name = field.ident.as_ref().expect("the fields are named");
        if name == "_gate" {
            gate = Some(name);
        } else if !name.to_string().starts_with('_') {
            all.push(name);
            let interface = field.attrs.iter().any(|attribute| attribute.path().is_ident("interface"));
            let input = is_input(&field.ty);
            if interface || input {
                inputs.push(name);
            }
            if !input {
                others.push(name);
            }
        }
    }
    let gate = gate.ok_or_else(|| Error::new_spanned(&input.ident, "a gated block needs a field `_gate: Gate`"))?;
    let names: Vec<String> = all.iter().map(|name| name.to_string()).collect();
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    Ok(quote! {
        impl #impl_generics rust_hdl_core::block::Block for #ident #ty_generics #where_clause {
            fn connect_all(&mut self) {
                rust_hdl_core::logic::Logic::connect(self);
                #(rust_hdl_core::block::Block::connect_all(&mut self.#all);)*
            }

            fn update_all(&mut self) {
                let mut run = self.#gate.live;
                #(
                    rust_hdl_core::block::Block::update_all(&mut self.#inputs);
                    run |= rust_hdl_core::block::Block::has_changed(&self.#inputs);
                )*
                if run {
                    rust_hdl_core::logic::Logic::update(self);
                    let mut changed = false;
                    #(
                        rust_hdl_core::block::Block::update_all(&mut self.#others);
                        changed |= rust_hdl_core::block::Block::has_changed(&self.#others);
                    )*
                    self.#gate.live = changed;
                }
            }

            fn has_changed(&self) -> bool {
                self.#gate.live
            }

            fn accept(&self, name: &str, probe: &mut dyn rust_hdl_core::probe::Probe) {
                probe.visit_start_scope(name, self);
                #(rust_hdl_core::block::Block::accept(&self.#all, #names, probe);)*
                probe.visit_end_scope(name, self);
            }
        }
    })
}

/// `Signal<In, _>`, or an array or `Vec` of them.
fn is_input(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_input(&array.elem),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return false;
            };
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return false;
            };
            let first = arguments.args.iter().find_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            match (last.ident.to_string().as_str(), first) {
                ("Signal", Some(Type::Path(direction))) => direction.path.is_ident("In"),
                ("Vec", Some(element)) => is_input(element),
                _ => false,
            }
        }
        _ => false,
    }
}
