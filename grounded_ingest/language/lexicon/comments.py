"""How languages write comments: by file name extension, what begins one and what encloses one."""

C = "// /*..*/"

# Extensions, then what begins a comment to the end of a line, and pairs around longer ones.
COMMENTS = (
    ("js mjs cjs jsx ts mts cts tsx go rs java kt kts scala groovy gradle c h cc cpp cxx hpp hh cs "
     "swift m mm dart zig v sol scss sass less proto thrift cairo move d jsonc json5", C),
    ("vue svelte astro", f"{C} <!--..-->"),
    ("css", "/*..*/"),
    ("php", f"# {C}"),
    ("py pyi pyx bzl star", '# """..""" \'\'\'..\'\'\''),
    ("sh bash zsh fish r jl yaml yml toml conf cfg properties env editorconfig "
     "mk cmake awk sed tcl graphql gql dockerfile lock service", "#"),
    ("ex exs", '# """.."""'),
    ("tf tfvars hcl nix", f"# {C}"),
    ("rb", "# =begin..=end"),
    ("pl pm", "# =pod..=cut =head1..=cut"),
    ("ini", "# ;"),
    ("sql", "-- /*..*/"),
    ("lua", "-- --[[..]]"),
    ("hs", "-- {-..-}"),
    ("ada adb ads", "--"),
    ("lisp el scm rkt clj cljs", "; #|..|#"),
    ("asm s", "; # //"),
    ("erl hrl", "%"),
    ("ml mli coq", "(*..*)"),
    ("fs fsx", "// (*..*)"),
    ("ps1", "# <#..#>"),
    ("bat cmd", "REM rem @REM @rem ::"),
    ("vim", '"'),
    ("vb", "'"),
    ("f90", "!"),
    ("applescript", "-- (*..*)"),
    ("jinja j2 tmpl", "{#..#} {{/*..*/}} <!--..-->"),
    ("xml xsd plist", "<!--..-->"),
)  # fmt: skip
OTHERS = "# // /*..*/ -- ; <!--..-->"
"""For names without a known extension (`Makefile`, `Dockerfile`)."""

# Extensions of code whose files hold texts as well, and well-known files that are nothing else.
TEXTS = "html htm ipynb feature xsd"
TEXT_NAMES = "LICENSE NOTICE"
