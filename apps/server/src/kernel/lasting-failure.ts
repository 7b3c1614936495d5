import type { Logger } from 'pino'

/** Of something that is tried again and again: the log has one line when it begins to fail, with the error, and one when it works again. */
export class LastingFailure {
  #log: Logger
  #words: { begins: string; over: string }
  #lasts = false

  constructor(log: Logger, words: { begins: string; over: string }) {
    this.#log = log
    this.#words = words
  }

  failed(error: unknown): void {
    if (!this.#lasts) this.#log.warn({ err: error }, this.#words.begins)
    this.#lasts = true
  }

  worked(): void {
    if (this.#lasts) this.#log.info(this.#words.over)
    this.#lasts = false
  }
}
