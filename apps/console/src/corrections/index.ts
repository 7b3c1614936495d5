import { later } from '../kit/later.tsx'

// What other areas may use of corrections. What staff alone see is loaded with them.
export { CorrectUsage } from './CorrectUsage.tsx'
export { CorrectionsPanel } from './CorrectionsPanel.tsx'
export const StaffCorrections = later(() => import('./StaffCorrections.tsx').then((file) => file.StaffCorrections))
