import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    network: {
      mccmnc: string
      name: string
      country: string
      rats: Defaulted<string[]>
      active: Defaulted<boolean>
      notes: Defaulted<string>
    }
  }
}
