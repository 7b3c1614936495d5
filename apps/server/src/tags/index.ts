export { setTags } from './set-tags.ts'
export { findTagIds, getTagsByWord } from './tag-queries.ts'
