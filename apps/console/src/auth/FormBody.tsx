import type { FormEvent, ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'

/** The fields of a form before sign-in, its failure above them, its one button below. */
export function FormBody({
  failure,
  onSubmit,
  children,
  submit,
  submitting,
}: {
  failure: Said | null
  onSubmit: (event: FormEvent) => void
  children: ReactNode
  submit: string
  submitting: boolean
}) {
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      {failure && <FailureNotice of={failure} />}
      {children}
      <Button type="submit" color="primary-solid" size="large" loading={submitting}>
        {submit}
      </Button>
    </form>
  )
}
