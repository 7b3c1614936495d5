import type { Outcome } from '../kernel/http/request-log.ts'

const wrongProof = new Set(['credentials_wrong', 'code_wrong', 'passkey_refused', 'token_refused', 'sign_in_refused', 'link_expired'])
const proves = /^(auth|account)\.|^backoffice\.enterBackoffice$/

/** What a call was to security (docs/operations/logs.md), and whether somebody should see it; undefined: nothing out of the ordinary. */
export function securityOf(outcome: Outcome): { security: string; unusual: boolean } | undefined {
  const security = wordFor(outcome)
  return security === undefined ? undefined : { security, unusual: !/^(signed|staff|second|proof_asked)/.test(security) }
}

function wordFor({ operation, status, code, signed_in }: Outcome): string | undefined {
  if (status < 400 && code === undefined) {
    if (signed_in) return 'signed_in'
    return { 'auth.logout': 'signed_out', 'backoffice.enterBackoffice': 'staff_entered' }[operation]
  }
  if (status === 429) return proves.test(operation) ? 'locked_out' : 'limited'
  if (code === 'second_factor_needed') return 'second_factor_asked'
  if (code === 'proof_needed') return 'proof_asked'
  if (code !== undefined && wrongProof.has(code)) return 'proof_failed'
  return status === 401 || status === 403 || status === 421 ? 'refused' : undefined
}
