//! Inner loops compiled for more than one instruction set.
//!
//! The crate is built for every x86-64 processor, which means SSE2. Rows of a stencil gain a third from AVX2 (measured:
//! Jacobi on 512², 0.045 → 0.034 ms a sweep on two cores). Where all is in the first-level cache, AVX-512 gains a quarter
//! more; elsewhere nothing. Fused multiply-add is left off, so that every processor gives the same bits.

/// Declares a function whose body is compiled twice on x86-64, for the baseline and for AVX2, and chosen at each call by
/// what the processor can do. Elsewhere it is an ordinary function. Meant for the inner loop over a row or a block, a
/// microsecond or so of work; the choice costs about a nanosecond.
///
/// ```
/// eddy::simd_fn! {
///     /// y ← y + a·x.
///     pub fn axpy(y: &mut [f32], a: f32, x: &[f32]) {
///         for (y, x) in y.iter_mut().zip(x) {
///             *y += a * x;
///         }
///     }
/// }
/// let mut y = [1.0, 2.0];
/// axpy(&mut y, 2.0, &[10.0, 20.0]);
/// assert_eq!(y, [21.0, 42.0]);
/// ```
///
/// Const generics (`fn row<const DIM: usize>(…)`) are understood; other generics are not, and arguments are plain names.
/// What the body calls must be inlined to profit: closures and `#[inline]` functions are.
#[macro_export]
macro_rules! simd_fn {
    ($(
        $(#[$meta:meta])*
        $vis:vis fn $name:ident $(<$(const $gen:ident : $gen_type:ty),+ $(,)?>)? ($($arg:ident : $type:ty),* $(,)?) $(-> $ret:ty)? $body:block
    )+) => {$(
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) $(-> $ret)? {
            #[inline(always)]
            fn baseline $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) $(-> $ret)? $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2 $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) $(-> $ret)? {
                baseline $(::<$($gen),+>)? ($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // Sound: the function needs AVX2 and nothing else, and the processor was just asked for it.
                #[expect(unsafe_code, reason = "calling a function with a target feature that was checked for")]
                return unsafe { avx2 $(::<$($gen),+>)? ($($arg),*) };
            }
            baseline $(::<$($gen),+>)? ($($arg),*)
        }
    )+};
}

/// Like [`simd_fn!`] for one function, and compiled for AVX-512 too: for loops that work in the first-level cache. A loop
/// over blocks of 16 numbers becomes gathers there; one over all numbers does not.
#[macro_export]
macro_rules! wide_simd_fn {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident $(<$(const $gen:ident : $gen_type:ty),+ $(,)?>)? ($($arg:ident : $type:ty),* $(,)?) $body:block
    ) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) {
            #[inline(always)]
            fn body $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) $body
            $crate::simd_fn! {
                fn narrow $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) {
                    body $(::<$($gen),+>)? ($($arg),*);
                }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq")]
            fn wide $(<$(const $gen: $gen_type),+>)? ($($arg: $type),*) {
                body $(::<$($gen),+>)? ($($arg),*);
            }
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512vl")
                && std::arch::is_x86_feature_detected!("avx512bw")
                && std::arch::is_x86_feature_detected!("avx512dq")
            {
                // Sound: the function needs what the processor was just asked for, and nothing else.
                #[expect(unsafe_code, reason = "calling a function with target features that were checked for")]
                return unsafe { wide $(::<$($gen),+>)? ($($arg),*) };
            }
            narrow $(::<$($gen),+>)? ($($arg),*);
        }
    };
}
