; What Ruby defines. @local: values inside it are local and no definitions.
[(method) (singleton_method) (alias)] @function
[(class) (module)] @type
(assignment) @value
[(method) (singleton_method) (lambda) (block) (do_block)] @local
