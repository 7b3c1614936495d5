import type { RemovalPreview } from '@masthead/contract/registry/removal'
import type { ReactNode } from 'react'
import { StateShape, type Shape, type Tone } from '../ui/StateShape.tsx'
import { devicesWords } from './registry-words.ts'

/** What deleting some tags with their images would break, line by line. */
export function WhatBreaks({ preview: { devices, more_devices, fleets, others, all, count } }: { preview: RemovalPreview }) {
  const lines: ReactNode[] = []
  if (devices > 0 || more_devices)
    lines.push(
      <Line key="devices" shape="octagon" tone="bad" words={`${devicesInWords(devices, more_devices)} cannot pull it again`}>
        They continue to run what they run. After a new disk or a factory reset their container does not start.
      </Line>
    )
  if (fleets.length > 0)
    lines.push(
      <Line key="fleets" shape="octagon" tone="bad" words="Fleets need it">
        Without {count === 1 ? 'it' : 'them'}, {fleets.slice(0, 3).join(', ')}
        {fleets.length > 3 ? ` and ${fleets.length - 3} more` : ''} cannot be rolled out any more.
      </Line>
    )
  const [first] = others
  if (first)
    lines.push(
      <Line key="others" shape="triangle" tone="warn" words={`The image of ${first.same_as} is kept`}>
        {others.length === 1 ? 'Another tag names' : `${others.length} other tags name`} images of these: {first.name}
        {others.length > 1 ? ' and others' : ''}. It frees nothing until that is deleted, too.
      </Line>
    )
  for (const { name, why } of all.kept.slice(0, 5))
    lines.push(<Line key={name} shape="bars" tone="hold" words={`${name} is kept`}>{`${why}.`}</Line>)
  if (all.stay > 5) lines.push(<Line key="more" shape="bars" tone="hold" words={`${(all.stay - 5).toLocaleString('en')} more are kept`} />)
  if (lines.length === 0)
    lines.push(
      <Line key="nothing" shape="disc" tone="ok" words={count === 1 ? 'Nothing breaks' : 'None of them breaks anything'}>
        No device and no fleet needs {count === 1 ? 'it' : 'them'}.
      </Line>
    )
  return <ul className="divide-y divide-line rounded-lg border border-line">{lines}</ul>
}

const devicesInWords = (devices: number, more: boolean) =>
  devices === 0 ? 'Devices that you do not see' : `${devicesWords(devices)}${more ? ' and others that you do not see' : ''}`

export const Line = ({ shape, tone, words, children }: { shape: Shape; tone: Tone; words: string; children?: ReactNode }) => (
  <li className="flex items-start gap-3 px-3 py-2.5">
    <StateShape shape={shape} tone={tone} className="mt-1" />
    <span className="grid min-w-0 wrap-anywhere">
      <span className="font-medium text-fg">{words}</span>
      {children && <span className="text-xs text-fg-3">{children}</span>}
    </span>
  </li>
)
