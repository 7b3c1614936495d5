import { formatClock } from '@masthead/contract/kernel/time'
import { countryName } from '../../ui/country-name.ts'
import type { Shape, Tone } from '../../ui/StateShape.tsx'
import { hours, stateOf, states, type Hours, type Row, type State, type StripReply } from './strip-lines.ts'

export const looks: Record<State, { label: string; shape: Shape; tone: Tone }> = {
  [states.u]: { label: 'As usual', shape: 'disc', tone: 'ok' },
  [states.s]: { label: 'Silent', shape: 'broken', tone: 'warn' },
  [states.r]: { label: 'Refused', shape: 'diamond', tone: 'ink' },
  [states.b]: { label: 'Blocked', shape: 'octagon', tone: 'bad' },
  [states.n]: { label: 'Not in use', shape: 'ring', tone: 'idle' },
}

const reasons: Record<State, string> = {
  [states.u]: 'It sent data, or usually sends none at this hour.',
  [states.s]: 'It sent nothing, and usually does at this hour, or was never quiet for so long.',
  [states.r]: 'It was not let onto the network, and sent nothing.',
  [states.b]: 'A block stood on it.',
  [states.n]: 'It was not meant to work then.',
}

const hourMs = 3_600_000
/** `2:00 PM`, where the reader is. */
export const clockAt = (start: string, hour: number) => {
  const at = new Date(Date.parse(start) + hour * hourMs)
  return formatClock(at.getHours(), at.getMinutes())
}

export const groupName = ({ groups }: StripReply, group: number) => {
  const country = groups[group]?.country
  return country ? countryName(country) : 'Not seen yet'
}

/** Since which hour a state has stood that stands in an hour, and until when: `19` to `25`. */
export function stretchOf(row: Row, at: Hours['at'], hour: number): [from: number, to: number] {
  const state = stateOf(row, at, hour)
  let [from, to] = [hour, hour + 1]
  while (from > 0 && stateOf(row, at, from - 1) === state) from--
  while (to < hours && stateOf(row, at, to) === state) to++
  return [from, to]
}

export type RowWords = { title: string; number: string | null; state: State; when: string; reason: string; press: string }

/** What a card says of a row at an hour. */
export function wordsOf(strip: StripReply, row: Row, at: Hours['at'], hour: number): RowWords {
  const start = strip.start!
  const country = groupName(strip, row.group)
  if (row.fold > 0)
    return {
      title: `${row.fold.toLocaleString('en')} ${row.fold === 1 ? 'SIM' : 'SIMs'}`,
      number: null,
      state: states.u,
      when: country,
      reason: 'As usual in all the hours shown.',
      press: 'Press to see the active SIMs.',
    }
  const state = stateOf(row, at, hour)
  const [from, to] = stretchOf(row, at, hour)
  const first = row.lines[0]!
  const many = row.lines.length > 1
  const until = to === hours ? 'until now' : `to ${clockAt(start, to)}`
  return {
    title: many ? `${row.lines.length.toLocaleString('en')} SIMs share this line` : strip.lines.name[first]!,
    number: many ? null : strip.lines.iccid[first]!,
    state,
    when: `${country}, ${from === 0 ? 'for 24 hours or more' : `from ${clockAt(start, from)}`} ${until}`,
    reason: many ? 'They are alike in these hours, or nearly.' : reasons[state],
    press: many ? 'Press to see each of them.' : 'Press to open it.',
  }
}

/** The same for who cannot see the card: with its state, and at which hour, so that each step says where it leads. */
export function spokenOf(strip: StripReply, { title, state, when, reason, press }: RowWords, hour: number): string {
  const at = hour === hours - 1 ? 'now' : `at ${clockAt(strip.start!, hour)}`
  return `${title}: ${looks[state].label.toLowerCase()} ${at}. ${when}. ${reason} ${press}`
}
