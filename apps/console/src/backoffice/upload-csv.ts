import { urlOf, type Failure } from '../api/client.ts'
import { backofficeToken } from '../api/session.ts'
import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'

type Answer<T> = { ok: true; data: T } | { ok: false; failure: Pick<Failure, 'detail' | 'fields'> }

/** Sends a file to an operation that takes a CSV, and says how far it is (0 to 1): `fetch` cannot tell of what it sends. */
export function uploadCsv<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  file: File,
  onProgress: (share: number) => void
): Promise<Answer<Reply<Op>>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(op.method, urlOf(op, input))
    request.withCredentials = true
    request.setRequestHeader('Content-Type', 'text/csv')
    request.setRequestHeader('X-Backoffice-Token', backofficeToken() ?? '')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    const fail = (failure: Partial<Failure>) =>
      resolve({
        ok: false,
        failure: { detail: 'The server did not answer. Try again: what was taken already is not taken twice.', ...failure },
      })
    request.onerror = () => fail({})
    request.onload = () => {
      try {
        const said = JSON.parse(request.responseText) as Reply<Op> & Partial<Failure>
        if (request.status < 300) resolve({ ok: true, data: said })
        else fail({ ...(said.detail && { detail: said.detail }), ...(said.fields && { fields: said.fields }) })
      } catch {
        fail({})
      }
    }
    request.send(file)
  })
}
