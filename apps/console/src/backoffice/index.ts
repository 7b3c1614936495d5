// What other areas of the backoffice may use.
export { BackofficeEnd } from './StayMark.tsx'
export { uploadCsv } from './upload-csv.ts'
