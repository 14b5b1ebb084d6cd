//! Parameters: one declaration gives the struct, its default, its serialised form and everything that walks it.
//!
//! [`params!`](crate::params!) declares a struct, [`choice!`](crate::choice!) an enum of plain alternatives and
//! [`variants!`](crate::variants!) an enum whose alternatives carry parameters of their own. Sliders, `--set`,
//! validation, restart-or-live decisions and the tables in the docs are all [`Visitor`]s.

mod macros;
mod spec;
mod visitors;

pub use spec::{Effect, Group, Label, Slot, Spec, Value, ValueKind, label_from_name};
pub(crate) use visitors::complaint;
pub use visitors::{
    Change, Entry, Problem, clamp, differences, distance, entries, get, needs_restart, problems,
    set, set_value,
};

/// Something that is declared by [`params!`](crate::params!) and can be walked.
pub trait Params {
    /// Shows every parameter, in declaration order, to the visitor.
    fn visit(&mut self, visitor: &mut dyn Visitor);
}

/// Walks the tree of parameters. Paths are made of the group names and the leaf's name, joined by dots.
pub trait Visitor {
    /// One parameter.
    fn leaf(&mut self, spec: &Spec, slot: Slot<'_>);
    /// A nested group begins. Returning `false` skips its contents; `close` is called in both cases.
    fn open(&mut self, group: &Group) -> bool;
    /// The group that was opened last ends.
    fn close(&mut self);
}

/// An enum declared by [`choice!`](crate::choice!): alternatives without parameters.
pub trait Choice: Sized + Copy {
    /// Names and explanations, in order.
    const OPTIONS: &'static [Label];
    /// Position among [`Choice::OPTIONS`].
    fn index(self) -> usize;
    /// The alternative at `index`; the last one if there are fewer.
    fn from_index(index: usize) -> Self;
}

/// A type that can be a leaf.
pub trait Leaf {
    /// The slot through which a visitor reads and writes the value. `specs` is completed with the options of a choice.
    fn with_slot(&mut self, visit: &mut dyn FnMut(Slot<'_>));
    /// The same value in the form in which a [`Spec`] keeps its default.
    fn value(&self) -> Value;
    /// What kind of leaf this is, with the options of a choice.
    fn kind() -> ValueKind;
}

macro_rules! plain_leaf {
    ($($type:ty => $variant:ident),* $(,)?) => {$(
        impl Leaf for $type {
            fn with_slot(&mut self, visit: &mut dyn FnMut(Slot<'_>)) { visit(Slot::$variant(self)); }
            fn value(&self) -> Value { Value::$variant(self.clone()) }
            fn kind() -> ValueKind { ValueKind::$variant }
        }
    )*};
}
plain_leaf! { f32 => Float, u32 => Int, bool => Bool, [f32; 2] => Vec2, [f32; 3] => Vec3, String => Text }

impl<C: Choice> Leaf for C {
    fn with_slot(&mut self, visit: &mut dyn FnMut(Slot<'_>)) {
        let mut index = self.index();
        visit(Slot::Choice {
            index: &mut index,
            options: C::OPTIONS,
        });
        *self = C::from_index(index);
    }
    fn value(&self) -> Value {
        Value::Choice(C::OPTIONS[self.index()].name.to_owned())
    }
    fn kind() -> ValueKind {
        ValueKind::Choice(C::OPTIONS)
    }
}

/// Walks a list: each item is a group named by its position.
pub fn visit_list<P: Params>(
    name: &'static str,
    doc: &'static str,
    items: &mut [P],
    visitor: &mut dyn Visitor,
) {
    if visitor.open(&Group::new(name, doc)) {
        for (i, item) in items.iter_mut().enumerate() {
            if visitor.open(&Group::item(i)) {
                item.visit(visitor);
            }
            visitor.close();
        }
    }
    visitor.close();
}
