import { FileText, Upload, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Field, useField, type FieldProps } from './Field.tsx'
import { sortFiles } from './file-drop.ts'
import { Icon } from './Icon.tsx'

/**
 * Files, dropped or chosen. The button is a button: Enter and Space open the browser's list of files. What cannot be taken is said in words
 * and never in silence; the bytes are written as `size` says.
 */
export function FileDrop({
  files,
  onChange,
  accept = '',
  maxBytes,
  multiple = false,
  disabled = false,
  size,
  children,
  ...field
}: FieldProps & {
  files: readonly File[]
  onChange: (files: File[]) => void
  /** As in HTML: ".csv,text/csv". */
  accept?: string
  maxBytes?: number
  multiple?: boolean
  disabled?: boolean
  size: (bytes: number) => string
  /** What may be dropped, in words. */
  children?: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const error = field.error ?? (refused.length > 0 ? refused.join(' ') : null)
  const { frame, control } = useField({ ...field, error })
  const take = (list: FileList | null) => {
    const sorted = sortFiles([...(list ?? [])], { accept, multiple, size, ...(maxBytes !== undefined && { maxBytes }) })
    setRefused(sorted.refused)
    if (sorted.taken.length > 0) onChange(multiple ? [...files, ...sorted.taken] : sorted.taken)
  }
  return (
    <Field {...frame}>
      <button
        {...control}
        type="button"
        disabled={disabled}
        className={cx(
          'grid justify-items-center gap-1 rounded-lg border border-dashed px-4 py-6 text-center',
          over ? 'border-accent-line bg-selected' : error ? 'border-bad-mark' : 'border-control hover:bg-hover',
          disabled && 'cursor-not-allowed border-line bg-sunken text-disabled hover:bg-sunken'
        )}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          if (disabled) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (!disabled) take(event.dataTransfer.files)
        }}
      >
        <Icon of={Upload} size={24} className={disabled ? 'text-disabled' : 'text-fg-3'} />
        <span className="font-medium">
          Drop {multiple ? 'files' : 'a file'} here or <span className={disabled ? undefined : 'text-link'}>choose</span>
        </span>
        {children && <span className={cx('text-xs', !disabled && 'text-fg-3')}>{children}</span>}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          take(target.files)
          // The same file may be chosen again after it was mended.
          target.value = ''
        }}
      />
      {files.length > 0 && (
        <ul aria-label={`${field.label}, chosen`} className="grid gap-1">
          {files.map((file, at) => (
            <li key={`${file.name} ${at}`} className="flex items-center gap-2 rounded-md border border-line px-2 py-1">
              <Icon of={FileText} size={14} className="text-fg-3" />
              <span className="truncate">{file.name}</span>
              <span className="ml-auto text-xs whitespace-nowrap text-fg-3 tabular-nums">{size(file.size)}</span>
              <IconButton
                label={`Remove ${file.name}`}
                icon={X}
                size="small"
                className="-mr-1"
                disabled={disabled}
                onClick={() => onChange(files.filter((_, place) => place !== at))}
              />
            </li>
          ))}
        </ul>
      )}
    </Field>
  )
}
