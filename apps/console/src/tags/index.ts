import { createElement } from 'react'
import { later } from '../kit/later.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'

// What other areas may use of tags. They are chosen in what is opened: a popover, a form.
export const TagChoice = later(() => import('./TagChoice.tsx').then((file) => file.TagChoice), createElement(SkeletonLines))
export { useTags } from './use-tags.ts'
