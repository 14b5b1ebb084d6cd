//! The declaring macros.

/// Declares a struct of parameters.
///
/// ```
/// eddy::params! {
///     /// A falling drop.
///     pub struct Drop {
///         /// How fast it falls.
///         live speed: f32 = 1.0, hard 0.0.., soft 0.0..=10.0, "m/s";
///         /// How many there are.
///         restart count: u32 = 3, hard 1..=100;
///     }
/// }
/// assert_eq!(Drop::default().count, 3);
/// ```
///
/// A field is `live` or `restart`, then `name: Type = default`, then any of `hard RANGE`, `soft RANGE`, `log`,
/// `advanced`, `color` and a unit in quotes, separated by commas. `@name: Type;` nests another [`Params`](crate::params::Params),
/// `@name: Type = default;` with a default of its own, and `[name]: Type;` declares a list of them (a `Vec`, or anything
/// that derefs to a slice).
#[macro_export]
macro_rules! params {
    ($(#[$meta:meta])* pub struct $name:ident { $($body:tt)* }) => {
        $crate::params!(@fields [$(#[$meta])*] $name {} {} {} $($body)*);
    };

    // Every field has been read.
    (@fields [$(#[$meta:meta])*] $name:ident { $($field:tt)* } { $($default:tt)* } { $($visit:tt)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name { $($field)* }
        impl Default for $name {
            fn default() -> Self { Self { $($default)* } }
        }
        impl $crate::params::Params for $name {
            fn visit(&mut self, visitor: &mut dyn $crate::params::Visitor) {
                let _ = &visitor;
                $crate::params!(@visit self visitor $($visit)*);
            }
        }
    };

    // A nested group.
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* @$field:ident : $type:ty ; $($rest:tt)*) => {
        $crate::params!(@fields $m $name
            { $($f)* $(#[doc = $doc])* pub $field: $type, }
            { $($d)* $field: Default::default(), }
            { $($v)* (group $field concat!($($doc),*)) } $($rest)*);
    };
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* @$field:ident : $type:ty = $default:expr ; $($rest:tt)*) => {
        $crate::params!(@fields $m $name
            { $($f)* $(#[doc = $doc])* pub $field: $type, }
            { $($d)* $field: $default, }
            { $($v)* (group $field concat!($($doc),*)) } $($rest)*);
    };
    // A list of groups.
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* [$field:ident] : $type:ty ; $($rest:tt)*) => {
        $crate::params!(@fields $m $name
            { $($f)* $(#[doc = $doc])* pub $field: $type, }
            { $($d)* $field: Default::default(), }
            { $($v)* (list $field concat!($($doc),*)) } $($rest)*);
    };
    // A leaf.
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* live $field:ident : $type:ty = $default:expr $(, $($rest:tt)*)?) => {
        $crate::params!(@attrs $m $name { $($f)* } { $($d)* } { $($v)* }
            (Live $field ($type) ($default) (concat!($($doc),*))) { } $($($rest)*)?);
    };
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* restart $field:ident : $type:ty = $default:expr $(, $($rest:tt)*)?) => {
        $crate::params!(@attrs $m $name { $($f)* } { $($d)* } { $($v)* }
            (Restart $field ($type) ($default) (concat!($($doc),*))) { } $($($rest)*)?);
    };
    // A leaf without attributes: the default is followed by the semicolon at once.
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* live $field:ident : $type:ty = $default:expr ; $($rest:tt)*) => {
        $crate::params!(@leaf $m $name { $($f)* } { $($d)* } { $($v)* }
            (Live $field ($type) ($default) (concat!($($doc),*))) { } $($rest)*);
    };
    (@fields $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        $(#[doc = $doc:literal])* restart $field:ident : $type:ty = $default:expr ; $($rest:tt)*) => {
        $crate::params!(@leaf $m $name { $($f)* } { $($d)* } { $($v)* }
            (Restart $field ($type) ($default) (concat!($($doc),*))) { } $($rest)*);
    };

    // The attributes of a leaf, one at a time; each is a call on the spec.
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } hard $r:expr , $($rest:tt)*) => {
        $crate::params!(@attrs $m $n $f $d $v $leaf { $($a)* .hard($r) } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } soft $r:expr , $($rest:tt)*) => {
        $crate::params!(@attrs $m $n $f $d $v $leaf { $($a)* .soft($r) } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } hard $r:expr ; $($rest:tt)*) => {
        $crate::params!(@leaf $m $n $f $d $v $leaf { $($a)* .hard($r) } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } soft $r:expr ; $($rest:tt)*) => {
        $crate::params!(@leaf $m $n $f $d $v $leaf { $($a)* .soft($r) } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } $unit:literal ; $($rest:tt)*) => {
        $crate::params!(@leaf $m $n $f $d $v $leaf { $($a)* .unit($unit) } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } $unit:literal , $($rest:tt)*) => {
        $crate::params!(@attrs $m $n $f $d $v $leaf { $($a)* .unit($unit) } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } $flag:ident ; $($rest:tt)*) => {
        $crate::params!(@leaf $m $n $f $d $v $leaf { $($a)* .$flag() } $($rest)*);
    };
    (@attrs $m:tt $n:ident $f:tt $d:tt $v:tt $leaf:tt { $($a:tt)* } $flag:ident , $($rest:tt)*) => {
        $crate::params!(@attrs $m $n $f $d $v $leaf { $($a)* .$flag() } $($rest)*);
    };

    (@leaf $m:tt $name:ident { $($f:tt)* } { $($d:tt)* } { $($v:tt)* }
        ($effect:ident $field:ident ($type:ty) ($default:expr) ($doc:expr)) { $($attrs:tt)* } $($rest:tt)*) => {
        $crate::params!(@fields $m $name
            { $($f)* #[doc = $doc] pub $field: $type, }
            { $($d)* $field: $default, }
            { $($v)* (leaf $effect $field ($type) ($default) ($doc) { $($attrs)* }) } $($rest)*);
    };

    // The body of `visit`.
    (@visit $self:ident $visitor:ident) => {};
    (@visit $self:ident $visitor:ident (group $field:ident $doc:expr) $($rest:tt)*) => {
        if $visitor.open(&$crate::params::Group::new(stringify!($field), $doc.trim_ascii())) {
            $crate::params::Params::visit(&mut $self.$field, $visitor);
        }
        $visitor.close();
        $crate::params!(@visit $self $visitor $($rest)*);
    };
    (@visit $self:ident $visitor:ident (list $field:ident $doc:expr) $($rest:tt)*) => {
        $crate::params::visit_list(stringify!($field), $doc.trim_ascii(), &mut $self.$field, $visitor);
        $crate::params!(@visit $self $visitor $($rest)*);
    };
    (@visit $self:ident $visitor:ident
        (leaf $effect:ident $field:ident ($type:ty) ($default:expr) ($doc:expr) { $($attrs:tt)* }) $($rest:tt)*) => {
        {
            let default: $type = $default;
            let spec = $crate::params::Spec::new(
                stringify!($field), $doc.trim_ascii(), $crate::params::Effect::$effect,
                <$type as $crate::params::Leaf>::kind(), $crate::params::Leaf::value(&default),
            ) $($attrs)*;
            $crate::params::Leaf::with_slot(&mut $self.$field, &mut |slot| $visitor.leaf(&spec, slot));
        }
        $crate::params!(@visit $self $visitor $($rest)*);
    };
}

/// Declares an enum of alternatives without parameters; the first one is the default.
///
/// ```
/// eddy::choice! {
///     /// Which way.
///     pub enum Way {
///         /// To the left.
///         Left,
///         /// To the right.
///         Right,
///     }
/// }
/// assert_eq!(Way::default(), Way::Left);
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* pub enum $name:ident { $first:tt $($rest:tt)* }) => {
        $crate::choice!(@build [$(#[$meta])*] $name [] $first $($rest)*);
    };
    (@build [$(#[$meta:meta])*] $name:ident [$($(#[doc = $doc:literal])+ $variant:ident)*]) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[doc = $doc])+ $variant,)* }
        impl $crate::params::Choice for $name {
            const OPTIONS: &'static [$crate::params::Label] = &[
                $($crate::params::Label { name: stringify!($variant), doc: concat!($($doc),+).trim_ascii() }),*
            ];
            fn index(self) -> usize { self as usize }
            fn from_index(index: usize) -> Self {
                const ALL: &[$name] = &[$($name::$variant),*];
                ALL[index.min(ALL.len() - 1)]
            }
        }
        impl Default for $name {
            fn default() -> Self { <Self as $crate::params::Choice>::from_index(0) }
        }
    };
    (@build $m:tt $name:ident [$($done:tt)*] $(#[doc = $doc:literal])+ $variant:ident $(, $($rest:tt)*)?) => {
        $crate::choice!(@build $m $name [$($done)* $(#[doc = $doc])+ $variant] $($($rest)*)?);
    };
}

/// Declares an enum whose alternatives each carry [`Params`](crate::params::Params); the first one is the default.
/// Another alternative means a restart, unless the declaration begins with `live`. Documents name the alternative; a visitor sees the choice as a leaf named `kind`, then the parameters of the chosen one.
///
/// ```
/// eddy::params! { /// Round.
///     pub struct Disc { /// Size.
///         live radius: f32 = 1.0, hard 0.0.., "m"; } }
/// eddy::params! { /// Square.
///     pub struct Square { /// Size.
///         live side: f32 = 1.0, hard 0.0.., "m"; } }
/// eddy::variants! {
///     /// What it looks like.
///     pub enum Shape {
///         /// A disc.
///         Disc(Disc),
///         /// A square.
///         Square(Square),
///     }
/// }
/// assert_eq!(Shape::default(), Shape::Disc(Disc::default()));
/// ```
#[macro_export]
macro_rules! variants {
    (live $(#[$meta:meta])* pub enum $($rest:tt)*) => {
        $crate::variants!(@build Live [$(#[$meta])*] $($rest)*);
    };
    ($(#[$meta:meta])* pub enum $($rest:tt)*) => {
        $crate::variants!(@build Restart [$(#[$meta])*] $($rest)*);
    };
    (@build $effect:ident [$(#[$meta:meta])*] $name:ident { $($(#[doc = $doc:literal])+ $variant:ident($type:ty)),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[doc = $doc])+ $variant($type),)+ }
        impl $name {
            /// The alternatives, in order.
            pub const OPTIONS: &'static [$crate::params::Label] = &[
                $($crate::params::Label { name: stringify!($variant), doc: concat!($($doc),+).trim_ascii() }),+
            ];
            /// Position of the chosen alternative among [`Self::OPTIONS`].
            pub fn index(&self) -> usize {
                let mut i = 0;
                $( if matches!(self, Self::$variant(_)) { return i; } i += 1; )+
                i - 1
            }
            /// The alternative at `index` with its default parameters; the last one if there are fewer.
            pub fn from_index(index: usize) -> Self {
                let makers: &[fn() -> Self] = &[$(|| Self::$variant(Default::default())),+];
                makers[index.min(makers.len() - 1)]()
            }
        }
        impl Default for $name {
            fn default() -> Self { Self::from_index(0) }
        }
        impl $crate::params::Params for $name {
            fn visit(&mut self, visitor: &mut dyn $crate::params::Visitor) {
                let mut index = self.index();
                let spec = $crate::params::Spec::new(
                    "kind", "Which one is used.", $crate::params::Effect::$effect,
                    $crate::params::ValueKind::Choice(Self::OPTIONS),
                    $crate::params::Value::Choice(Self::OPTIONS[0].name.to_owned()),
                );
                visitor.leaf(&spec, $crate::params::Slot::Choice { index: &mut index, options: Self::OPTIONS });
                if index != self.index() { *self = Self::from_index(index); }
                match self { $(Self::$variant(inner) => $crate::params::Params::visit(inner, visitor)),+ }
            }
        }
    };
}
