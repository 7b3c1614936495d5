import { isWrite, keyScopeOf, sentTypes, type Operation } from '@masthead/contract/kernel/operation'
import { urlOf } from '../api/client.ts'

/** A word for a shell: nothing in it means anything there. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A new key against repetition with every run of the line; where `uuidgen` is not installed, Linux has one too. */
export const idempotencyHeader = `-H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)"`

/** What was typed to prove who one is has no place on a clipboard: it goes only with calls that need a session. */
const withoutProofs = (name: string, value: unknown) => (/password|passkey|^code$|token|secret/.test(name) && value ? '…' : value)

/** A call as a curl command, its key taken from the environment. */
export function curlOf(op: Operation, input: unknown): string {
  const { body } = input as { body?: unknown }
  const scope = keyScopeOf(op)
  const address = new URL(urlOf(op, input as never), location.origin).href
  const parts = [
    `curl${op.method === 'GET' ? '' : ` -X ${op.method}`} ${quoted(address)}`,
    `-H "X-Api-Key: $MASTHEAD_API_KEY"`,
    ...(isWrite(op) ? [idempotencyHeader] : []),
    ...(body === undefined
      ? []
      : op.takes !== 'json'
        ? [`-H 'Content-Type: ${sentTypes[op.takes]}'`, op.takes === 'csv' ? '--data-binary @FILE.csv' : '--data-binary @FILE']
        : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, scope === null ? withoutProofs : undefined))}`]),
  ]
  const note =
    scope === null
      ? '# No API key may make this call: it needs a session of the console.'
      : scope === 'any'
        ? ''
        : `# The key needs the scope ${scope}.`
  return `${note && `${note}\n`}${parts.join(' \\\n  ')}`
}
