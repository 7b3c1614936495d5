export { examine } from './examine.ts'
export { inWords, type Finding } from './finding.ts'
