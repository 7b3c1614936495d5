export { examine, type Ground } from './examine.ts'
export { supportBundle } from './support-bundle.ts'
export { inWords, type Finding } from './finding.ts'
