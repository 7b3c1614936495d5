import { findNumbers } from '@masthead/contract/assets/find-operations'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOperation } from '../../api/query.ts'
import { IconButton } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Notice } from '../../ui/Notice.tsx'

const mostShown = 50

/** Finds the assets of pasted numbers, has them listed, and says which numbers are unknown, and why. */
export function PastedNumbers({ numbers, onFound, onClose }: { numbers: string[]; onFound: (list: string) => void; onClose: () => void }) {
  const { mutateAsync, data, error: failure } = useOperation(findNumbers)
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    mutateAsync({ body: { numbers } }).then(
      ({ list }) => list && onFound(list),
      () => {} // shown below
    )
  })
  const close = <IconButton label="Close" icon={X} size="small" onClick={onClose} />
  if (failure)
    return (
      <FailureNotice of={failure} action={close}>
        The numbers could not be looked up. {failure.detail}
      </FailureNotice>
    )
  if (!data) return <Notice tone="info">Looking up {numbers.length.toLocaleString('en')} numbers…</Notice>
  const { found, unknown, repeated } = data
  const all = unknown.map(({ number }) => number).join('\n')
  return (
    <Notice tone={unknown.length > 0 ? 'warn' : 'ok'} action={close}>
      <p>
        <strong>{foundWords(found, numbers.length, unknown.length)}</strong>
        {repeated > 0 && ` ${repeated.toLocaleString('en')} named an asset again and count${repeated === 1 ? 's' : ''} once.`}
      </p>
      {unknown.length > 0 && (
        <>
          <ul className="mt-2 grid max-h-48 gap-1 overflow-auto text-sm" aria-label="Unknown numbers" tabIndex={0}>
            {unknown.slice(0, mostShown).map(({ line, number, words }) => (
              <li key={line} className="flex flex-wrap gap-x-3">
                <span className="font-mono break-all">{number}</span>
                <span className="text-fg-2">
                  {words}. Number {line.toLocaleString('en')} of the list.
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
            {unknown.length > mostShown &&
              `The first ${mostShown} are listed; ${(unknown.length - mostShown).toLocaleString('en')} more are not.`}
            <CopyButton text={all} label="Copy unknown numbers" words="Copy all unknown" />
          </p>
        </>
      )}
    </Notice>
  )
}

function foundWords(found: number, given: number, unknown: number): string {
  const assets = `${found.toLocaleString('en')} ${found === 1 ? 'asset' : 'assets'} found by ${given.toLocaleString('en')} numbers`
  return unknown === 0 ? `${assets}.` : `${assets}, ${unknown.toLocaleString('en')} unknown.`
}
