import { useState, type ReactNode } from 'react'
import { Button, type ButtonColor } from './Button.tsx'
import { FailureNotice, type Said } from './FailureNotice.tsx'
import { isTyped } from './is-typed.ts'
import { Modal } from './Modal.tsx'
import { otherAnswer } from './other-answer.ts'
import { TextField } from './TextField.tsx'

type ConfirmProps = {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** What it touches and what it costs, in words. */
  children: ReactNode
  /** What the button does: "Deactivate 3 SIMs". */
  confirm: string
  color?: ButtonColor
  loading: boolean
  /** Why it failed. */
  failure: Said | null
  /** What must be typed before it can be done: the name of what is destroyed. */
  typed?: string
  /** Why it cannot be done as it is asked now, in words. */
  blocked?: string | null
}

/** Asks before something is done; of a dangerous one Cancel has the focus. With `typed`, only who has written that word may go on; Enter then confirms. */
export function Confirm(props: ConfirmProps) {
  // Unmounted when closed, so what was typed is gone with it.
  return props.open ? <OpenConfirm {...props} /> : null
}

function OpenConfirm({
  onClose,
  onConfirm,
  title,
  children,
  confirm,
  color = 'success',
  loading,
  failure,
  typed,
  blocked = null,
}: ConfirmProps) {
  const [text, setText] = useState('')
  // Enter does nothing that one did not mean.
  const first = typed !== undefined ? 'field' : color === 'danger' ? 'cancel' : 'confirm'
  const missing = blocked ?? (typed !== undefined && !isTyped(text, typed) ? `Type “${typed}” first` : null)
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      loading={loading}
      footer={
        <>
          {otherAnswer.instead && otherAnswer.icon && (
            <Button
              color="ghost"
              icon={otherAnswer.icon}
              className="mr-auto"
              disabled={loading}
              onClick={() => otherAnswer.instead?.(onConfirm)}
            >
              {otherAnswer.label}
            </Button>
          )}
          <span className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose} disabled={loading} {...(first === 'cancel' && { 'data-autofocus': true })}>
              Cancel
            </Button>
            <Button
              color={color}
              loading={loading}
              disabled={missing}
              onClick={onConfirm}
              {...(first === 'confirm' && { 'data-autofocus': true })}
            >
              {confirm}
            </Button>
          </span>
        </>
      }
    >
      <div className="grid gap-3 text-fg-2 text-pretty">{children}</div>
      {typed !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (!missing && !loading) onConfirm()
          }}
        >
          <TextField
            label={`Type “${typed}” to go on`}
            value={text}
            disabled={loading}
            autoComplete="off"
            spellCheck={false}
            mono
            onChange={({ target }) => setText(target.value)}
          />
        </form>
      )}
      {failure && <FailureNotice of={failure} />}
    </Modal>
  )
}
