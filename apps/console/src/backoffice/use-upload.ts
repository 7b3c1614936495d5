import { sentTypes, type Input, type Operation, type Reply } from '@masthead/contract/kernel/operation'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { urlOf, type Failure } from '../api/client.ts'
import { backofficeToken } from '../api/session.ts'
import type { Said } from '../ui/FailureNotice.tsx'

const noAnswer = 'The server did not answer. Try again: what was loaded already is not loaded twice.'

type Answer<T> = { ok: true; data: T } | { ok: false; failure: Said }

/** Sends a file to an operation that reads it as it comes, and says how far it is (0 to 1): `fetch` does not report what it has sent. */
function uploadFile<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  file: File,
  onProgress: (share: number) => void
): Promise<Answer<Reply<Op>>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(op.method, urlOf(op, input))
    request.withCredentials = true
    request.setRequestHeader('Content-Type', sentTypes[op.takes])
    request.setRequestHeader('X-Backoffice-Token', backofficeToken() ?? '')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    const fail = ({ detail, request_id }: Partial<Said> = {}) =>
      resolve({ ok: false, failure: { detail: detail || noAnswer, ...(request_id && { request_id }) } })
    request.onerror = () => fail()
    request.onload = () => {
      try {
        const said = JSON.parse(request.responseText) as Reply<Op> & Partial<Failure>
        if (request.status < 300) resolve({ ok: true, data: said })
        else fail(said)
      } catch {
        fail()
      }
    }
    request.send(file)
  })
}

/** A file that is chosen, sent and reported on; choosing another one forgets the report. `field` is for a `FileDrop`. */
export function useUpload<Op extends Operation>(op: Op) {
  const [files, setFiles] = useState<File[]>([])
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<Said | null>(null)
  const [report, setReport] = useState<Reply<Op> | null>(null)
  const busy = progress !== null
  const forget = () => setReport(null)
  const onChange = (chosen: File[]) => {
    setFiles(chosen)
    forget()
  }
  /** What was answered; null where it was refused, which `failure` then says. */
  const send = async (input: Input<Op>): Promise<Reply<Op> | null> => {
    setFailure(null)
    setProgress(0)
    const answer = await uploadFile(op, input, files[0]!, setProgress)
    setProgress(null)
    if (answer.ok) setReport(answer.data)
    else setFailure(answer.failure)
    return answer.ok ? answer.data : null
  }
  const field = { label: 'File', accept: '.csv,text/csv', size: formatBytes, files, disabled: busy, onChange }
  return { field, missing: files.length === 0 ? 'Choose a file first' : null, busy, progress, failure, report, forget, send }
}
