// What other areas of the backoffice may use.
export { ReasonModal } from './ReasonModal.tsx'
export { BackofficeEnd } from './StayMark.tsx'
export { useCsv } from './use-csv.ts'
