import type { Sample, Scene } from './test-samples.ts'

/** What tests know of the calls of an area: who may call, written by hand as in test-access.ts, and a request that works on a scene where one is needed. */
export type CallRows = Record<string, { access: string; sample?: (scene: Scene) => Sample }>

declare global {
  interface ImportMeta {
    /** Of Vite, and so of every test. */
    glob: (pattern: string, options: { eager: true }) => Record<string, unknown>
  }
}

/** The rows that areas have beside their code. */
export const callRows: CallRows = Object.assign(
  {},
  ...Object.values(import.meta.glob('./*/test-calls.ts', { eager: true })).map((area) => (area as { calls: CallRows }).calls)
)
