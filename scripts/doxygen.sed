# Makes Doxygen read our comments: "//" before a declaration, and beside one. See scripts/site.sh.
1s|^// |/// @file\n/// |
1s|^/\* |/** @file\n * |
/^}  *\/\/ /b
/\{ *\/\/ /b
s|^( {20,})// |\1///< |
s|^( *)//( \|$)|\1///\2|
s|^( *)/\* |\1/** |
s|^( *[^ /#*].*[^ :/]) +// |\1 ///< |
s|^( *[^ /#*].*[^ :/]) +/\* |\1 /**< |
