//! Elements of XML, written one inside the other.

/// A document under way.
pub struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    /// A document with a comment at its head.
    pub fn new(comment: &str) -> Self {
        Self { text: format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {comment} -->\n"), depth: 0 }
    }

    /// An element with what `inside` writes between its tags. `tag` may have attributes.
    pub fn element(&mut self, tag: &str, inside: impl FnOnce(&mut Self)) {
        self.line(&format!("<{tag}>"));
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(&format!("</{}>", name(tag)));
    }

    /// An element with a text. `tag` may have attributes.
    pub fn leaf(&mut self, tag: &str, text: &str) {
        self.line(&format!("<{tag}>{}</{}>", escape(text), name(tag)));
    }

    /// An element without content.
    pub fn empty(&mut self, tag: &str) {
        self.line(&format!("<{tag}/>"));
    }

    /// The document.
    pub fn text(self) -> String {
        self.text
    }

    fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }
}

/// A tag without its attributes.
fn name(tag: &str) -> &str {
    tag.split(' ').next().unwrap_or(tag)
}

fn escape(text: &str) -> String {
    text.trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_close_and_text_is_escaped() {
        let mut xml = Xml::new("made");
        xml.element("a b=\"1\"", |xml| {
            xml.leaf("c", " 1 < 2 & 3 ");
            xml.empty("d e=\"2\"");
        });
        let expected = "<a b=\"1\">\n  <c>1 &lt; 2 &amp; 3</c>\n  <d e=\"2\"/>\n</a>\n";
        assert!(xml.text().ends_with(expected));
    }
}
