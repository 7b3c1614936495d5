// What other areas of the backoffice may use.
export { LoadFile } from './LoadFile.tsx'
export { ReasonModal } from './ReasonModal.tsx'
export { BackofficeEnd } from './StayMark.tsx'
export { useUpload } from './use-upload.ts'
