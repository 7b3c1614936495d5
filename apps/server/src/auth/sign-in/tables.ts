declare module '../../kernel/database/database.ts' {
  interface Database {
    attempt: { key: string; count: number; window_ends_at: Date }
  }
}

export {}
