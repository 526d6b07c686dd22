"""Text that states nothing about a repository: placeholders of templates, and licence texts."""

SLOT = (
    r"^(?:\[[^\]\n]*\]|\{\{?[^}\n]*\}?\}|<[^>\n]+>|"
    r"\((?:none|empty|optional|todo|tbd|add[^)]*)\)|_{2,}|\.{2,}|…|-+|"
    r"n/?a|none(?: yet)?|tbd|tba|todo|wip|xxx|placeholder|your .{1,40} here|(?:add|insert|describe|"
    r"list|fill in) .{1,40} here)[.:!]?$"
)

LICENCE = (
    "permission is hereby granted, free of charge",
    "the above copyright notice and this permission notice",
    'the software is provided "as is"',
    "in no event shall the authors or copyright holders",
    "licensed under the apache license, version 2.0",
    "you may not use this file except in compliance with the license",
    "you may obtain a copy of the license at",
    "unless required by applicable law or agreed to in writing",
    "redistribution and use in source and binary forms",
    "redistributions of source code must retain",
    "redistributions in binary form must reproduce",
    "this program is free software",
    "spdx-license-identifier",
    "by making a contribution to this project, i certify",
    "the contribution was created in whole or in part by me",
    "the contribution is based upon previous work that, to the best",
    "the contribution was provided directly to me by some other person",
)
