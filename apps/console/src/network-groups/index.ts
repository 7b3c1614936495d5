import { createElement } from 'react'
import { later } from '../kit/later.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

// What other areas may use of network groups. One is chosen in a form, so in what is opened; meanwhile its label and its field are one.
export const GroupSelect = later(
  () => import('./GroupSelect.tsx').then((file) => file.GroupSelect),
  createElement(Skeleton, { className: 'h-15.5' })
)
export { effectWords, takesService } from './effect-words.ts'
export { useNetworkGroups } from './use-network-groups.ts'
