export { examine, type DoctorNeeds } from './examine.ts'
export { supportBundle } from './support-bundle.ts'
export { inWords, type Finding } from './finding.ts'
