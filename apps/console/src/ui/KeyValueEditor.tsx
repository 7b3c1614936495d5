import { Plus, Trash2 } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { keyValueProblems, pairsOf, type KeyValue } from './key-value.ts'
import { TextField } from './TextField.tsx'

/**
 * Names and values in rows: environment variables, labels. Enter in the last row adds another; text with several `NAME=value` lines pasted
 * into a name becomes rows. Problems stand under their row.
 */
export function KeyValueEditor({
  label,
  pairs,
  onChange,
  keyLabel = 'Name',
  valueLabel = 'Value',
  keyRule,
  secret = false,
  disabled = false,
  max = 100,
}: {
  label: string
  pairs: readonly KeyValue[]
  onChange: (pairs: KeyValue[]) => void
  keyLabel?: string
  valueLabel?: string
  keyRule?: { pattern: RegExp; words: string }
  /** Values are hidden while they are not being written. */
  secret?: boolean
  disabled?: boolean
  max?: number
}) {
  const id = useId()
  const rows = useRef<HTMLDivElement>(null)
  const problems = keyValueProblems(pairs, keyRule)
  const focusRow = (at: number) => requestAnimationFrame(() => rows.current?.querySelectorAll<HTMLElement>('[data-key] input')[at]?.focus())
  const set = (at: number, change: Partial<KeyValue>) =>
    onChange(pairs.map((pair, place) => (place === at ? { ...pair, ...change } : pair)))
  const add = () => {
    if (pairs.length >= max) return
    onChange([...pairs, { key: '', value: '' }])
    focusRow(pairs.length)
  }
  const paste = (at: number, event: React.ClipboardEvent) => {
    const found = pairsOf(event.clipboardData.getData('text'))
    if (found.length < 2 && !(found.length === 1 && pairs[at]?.key === '')) return
    event.preventDefault()
    onChange([...pairs.slice(0, at), ...found, ...pairs.slice(at + (pairs[at]?.key === '' ? 1 : 0))].slice(0, max))
  }
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <div ref={rows} className="grid gap-2 empty:hidden">
        {pairs.map((pair, at) => (
          <div key={at} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-2">
            <div data-key>
              <TextField
                label={`${keyLabel} ${at + 1}`}
                hideLabel
                mono
                spellCheck={false}
                autoCapitalize="off"
                placeholder={keyLabel}
                value={pair.key}
                disabled={disabled}
                error={problems[at] ?? null}
                onChange={({ target }) => set(at, { key: target.value })}
                onPaste={(event) => paste(at, event)}
              />
            </div>
            <TextField
              label={`${valueLabel} ${at + 1}`}
              hideLabel
              mono
              spellCheck={false}
              autoComplete="off"
              className={secret ? 'secret-until-focus' : ''}
              placeholder={valueLabel}
              value={pair.value}
              disabled={disabled}
              onChange={({ target }) => set(at, { value: target.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || at !== pairs.length - 1) return
                event.preventDefault()
                add()
              }}
            />
            <IconButton
              label={`Remove ${pair.key || `row ${at + 1}`}`}
              icon={Trash2}
              disabled={disabled}
              onClick={() => {
                onChange(pairs.filter((_, place) => place !== at))
                focusRow(Math.max(0, at - 1))
              }}
            />
          </div>
        ))}
      </div>
      {pairs.length === 0 && <p className="text-xs text-fg-3">None yet.</p>}
      <Button
        size="small"
        icon={Plus}
        className="justify-self-start"
        disabled={disabled || (pairs.length >= max ? `At most ${max}` : null)}
        onClick={add}
      >
        Add {keyLabel.toLowerCase()}
      </Button>
    </div>
  )
}
