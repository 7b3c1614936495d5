export { writeDemoDocuments } from './documents.ts'
export { addDemoCardToSandbox, writeDemoCard } from './card.ts'
export { writeDemoCharges } from './charges.ts'
export { writeDemoTariff } from './tariffs.ts'
