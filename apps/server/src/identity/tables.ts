declare module '../kernel/database/database.ts' {
  interface Database {
    identity: { id: string; issuer: string; subject: string; person_id: string; email: string; linked_at: Date; used_at: Date }
    identity_attempt: {
      state_hash: Buffer
      browser_hash: Buffer
      nonce: string
      code_verifier: string
      origin: string
      return_to: string
      person_id: string | null
      /** It proves who `person_id` is, and links nothing. */
      proves: boolean
      created_at: Date
      expires_at: Date
    }
    session_identity: { session_id: string; issuer: string; id_token: string | null; sealed_id_token: string | null }
  }
}

export {}
