import type { Defaulted } from '../database/database.ts'

declare module '../database/database.ts' {
  interface Database {
    mail: {
      id: string
      to_email: string
      subject: string
      text: string
      created_at: Date
      sent_at: Defaulted<Date | null>
      refused_at: Defaulted<Date | null>
      refused_words: Defaulted<string | null>
    }
  }
}
