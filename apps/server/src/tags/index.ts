export { setTags } from './set-tags.ts'
export { getTagsByWord } from './tag-queries.ts'
