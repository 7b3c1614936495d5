// What other areas may use of corrections.
export { CorrectUsage } from './CorrectUsage.tsx'
export { CorrectionsPanel } from './CorrectionsPanel.tsx'
export { StaffCorrections } from './StaffCorrections.tsx'
