export { writeDemoDocuments } from './documents.ts'
export { writeDemoCharges } from './charges.ts'
export { writeDemoTariff } from './tariffs.ts'
