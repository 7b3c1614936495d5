import { exportRecording } from '@masthead/contract/terminal/operations'
import { useEffect, useState } from 'react'
import { failureOf, urlOf } from '../api/client.ts'
import type { Said } from '../ui/FailureNotice.tsx'
import { readCast, type Recorded } from './cast.ts'

/** More than that is for a program: a window would have all of it in memory. */
const mostBytes = 64 * 1024 * 1024

type Read = { recorded: Recorded | null; problem: Said | null; tooLarge: boolean }

/** The recording of a session, or why there is none to see. Asked for once: that it was opened is in the activities. */
export function useRecording(id: string): Read {
  const [state, setState] = useState<Read>({ recorded: null, problem: null, tooLarge: false })
  useEffect(() => {
    const given = new AbortController()
    const fail = (problem: Said) => given.signal.aborted || setState({ recorded: null, problem, tooLarge: false })
    async function load() {
      const answer = await fetch(urlOf(exportRecording, { params: { terminal_id: id } }), { credentials: 'include', signal: given.signal })
      if (!answer.ok) {
        return fail(await failureOf(answer))
      }
      if (Number(answer.headers.get('content-length')) > mostBytes) {
        given.abort()
        const detail = 'This recording is too large to be played here. Download it, and play it with asciinema.'
        return setState({ recorded: null, problem: { detail }, tooLarge: true })
      }
      const recorded = readCast(await answer.text())
      if (!given.signal.aborted) setState({ recorded, problem: null, tooLarge: false })
    }
    load().catch(() => fail({ detail: 'The recording could not be loaded. Check your connection and try again.' }))
    return () => given.abort()
  }, [id])
  return state
}
