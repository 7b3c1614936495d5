import { goesOnWords, type DataSession, type DisconnectOutcome } from '@masthead/contract/assets/sim'
import { formatLongDuration } from '@masthead/contract/kernel/time'
import { ratWords } from '../kit/radio-technology.ts'

/** "KPN · LTE"; the MCC-MNC where the name is not known. Null when nothing is known. */
export function networkWords({ network, rat }: Pick<DataSession, 'network' | 'rat'>): string | null {
  return [network?.name ?? network?.mccmnc, ratWords(rat)].filter(Boolean).join(' · ') || null
}

/** "640 ms" below a second, then as any length of time. Milliseconds in. */
export const latencyWords = (ms: number): string => (ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : formatLongDuration(ms / 1000))

/** How cutting a session went, or goes: what it is, the sentence, and a few words for where there is little room. */
export function disconnectWords(outcome: DisconnectOutcome): { is: 'done' | 'busy' | 'failed'; words: string; short: string } {
  const { answer, attempts, requested_at, answered_at } = outcome
  const tries = attempts === 1 ? 'once' : `${attempts} times`
  const took = answered_at ? ` after ${latencyWords(Date.parse(answered_at) - Date.parse(requested_at))}` : ''
  switch (answer) {
    case 'ack':
      return { is: 'done', words: `Session cut: confirmed by the gateway${took}`, short: `confirmed${took}` }
    case 'gone':
      return { is: 'done', words: 'Session cut: the gateway had ended it already', short: 'had ended already' }
    case 'nak':
      return { is: 'failed', words: `The gateway refused to cut the session: ${outcome.words}`, short: 'cut was refused' }
    case 'timeout':
      return { is: 'failed', words: `The gateway did not answer, asked ${tries} to cut the session`, short: 'cut not answered' }
    case null: {
      const still = attempts < 2 ? 'waiting for the gateway' : `asked ${tries}, no answer from the gateway yet`
      return { is: 'busy', words: `Cutting the session: ${still}`, short: 'being cut' }
    }
  }
}

/** So many milliseconds after `since` its session was cut; null: it was not. */
export const cutAfter = ({ answer, answered_at }: DisconnectOutcome, since: string): number | null =>
  answered_at !== null && (answer === 'ack' || answer === 'gone') ? Math.max(0, Date.parse(answered_at) - Date.parse(since)) : null

/** Of a session that should be over, what becomes of it, as a sentence. */
export function cutWords(session: Pick<DataSession, 'disconnect'>): string {
  const why = goesOnWords(session)
  return why
    ? `Its session goes on, as ${why}: it is asked again whenever the session reports.`
    : 'The gateway is asked to end the session.'
}

/** How long a session ran, or has run. `now` in milliseconds. */
export const sessionLength = ({ started_at, ended_at }: Pick<DataSession, 'started_at' | 'ended_at'>, now: number): string =>
  formatLongDuration(((ended_at ? Date.parse(ended_at) : now) - Date.parse(started_at)) / 1000)
