"""Words by which a claim says of something only that it is there, and where."""

FRAME = (
    "defined declared found lives located implemented exported provided available called named "
    "command script target function method class constant variable file module field key type "
    "default defaults set equals value listed kept stored exists"
)

OF_KIND = {"command": "run runs execute", "version": "runtime language toolchain engine"}
"""Words that are frame beside references of a kind alone."""
