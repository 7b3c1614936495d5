export { tagNamesOf, tagsOf } from './tags-of.ts'
export { setTags } from './set-tags.ts'
export { tagAssets, untagAssets } from './tag-assets.ts'
export { findTagIds, getTagsByWord, getTagsNamed, type NamedTag } from './tag-queries.ts'
