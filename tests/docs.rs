//! What is written from the declarations is current.

use std::path::Path;

#[test]
fn the_table_of_methods_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/methods.md");
    let current = eddy::cli::methods_markdown();
    if std::env::var_os("EDDY_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &current).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == current,
        "docs/methods.md is not what `eddy methods --markdown` writes; run the test with EDDY_UPDATE=1"
    );
}
