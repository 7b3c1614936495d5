// What other areas may use of tags.
export { TagChoice } from './TagChoice.tsx'
export { useTags } from './use-tags.ts'
