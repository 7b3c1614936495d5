import { useState } from 'react'
import { Controller, get, useFormContext } from 'react-hook-form'
import { TextArea } from '../ui/TextArea.tsx'

/** The words at a field, or at one of the things in its list. */
export function useListError(name: string): string | undefined {
  const { errors } = useFormContext().formState
  const error = get(errors, name) as { message?: string; root?: { message?: string } } | undefined
  const inside = Array.isArray(error) ? (error as ({ message?: string } | undefined)[]).find((each) => each?.message)?.message : undefined
  // What the schema says of one thing of the list stands under its own name, like `sources.0`.
  const ofOne = Object.entries(errors).find(([key]) => key.startsWith(`${name}.`))?.[1] as { message?: string } | undefined
  return error?.message ?? error?.root?.message ?? inside ?? ofOne?.message
}

/** A list of words, one a line. */
export function FormLines({ name, label, hint, placeholder }: { name: string; label: string; hint?: string; placeholder?: string }) {
  const error = useListError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <Lines value={field.value as string[]} onChange={field.onChange}>
          {(text, type) => (
            <TextArea
              label={label}
              hint={hint}
              error={error}
              mono
              rows={3}
              spellCheck={false}
              placeholder={placeholder}
              value={text}
              onChange={({ target }) => type(target.value)}
            />
          )}
        </Lines>
      )}
    />
  )
}

/** What is typed stays as typed, blank lines too; the form gets the words. */
function Lines({
  value,
  onChange,
  children,
}: {
  value: string[]
  onChange: (lines: string[]) => void
  children: (text: string, type: (text: string) => void) => React.ReactNode
}) {
  const [text, setText] = useState(value.join('\n'))
  return children(text, (typed) => {
    setText(typed)
    onChange(
      typed
        .split(/[\n,]/)
        .map((line) => line.trim())
        .filter((line) => line !== '')
    )
  })
}
