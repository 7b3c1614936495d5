export { writeDemoDocuments } from './documents.ts'
export { tellSandboxOfDemoCard, writeDemoCard } from './card.ts'
export { writeDemoCharges } from './charges.ts'
export { writeDemoTariff } from './tariffs.ts'
