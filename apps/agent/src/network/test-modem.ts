import { createServer, type Socket } from 'node:net'

const ok = '\r\nOK\r\n'
const said = (line: string) => `\r\n${line}\r\n${ok}`

const answers: Record<string, string> = {
  ...Object.fromEntries(
    ['', 'Z', 'E0', 'V1', 'X4', '&C1', '+CMEE=1', '+CREG=2', '+CGREG=2', '+CSCS="UCS2"', '+CMGF=0'].map((command) => [`AT${command}`, ok])
  ),
  'AT+GCAP': said('+GCAP: +CGSM +DS +ES'),
  'AT+WS46=?': said('+WS46: (12,22)'),
  'AT+CGMI': said('Quectel'),
  'AT+CGMM': said('EG25-G'),
  'AT+CGMR': said('EG25GGBR07A08M2G'),
  'AT+CGSN': said('867698041170442'),
  'AT+CIMI': said('204080000000001'),
  'AT+CGDCONT=?': said('+CGDCONT: (1-11),"IP",,,(0-2),(0-3)'),
  'AT+CGACT?': ok,
  'AT+CLCK=?': said('+CLCK: ("SC","FD")'),
  'AT+CLCK="SC",2': said('+CLCK: 1'),
  'AT+CLCK="FD",2': said('+CLCK: 0'),
  'AT+CFUN?': said('+CFUN: 1'),
  'AT+CFUN=1': ok,
  'AT+CSCS=?': said('+CSCS: ("IRA","UCS2","GSM")'),
  'AT+CSCS?': said('+CSCS: "UCS2"'),
  'AT+CREG?': said('+CREG: 2,1,"1234","001122BB"'),
  'AT+CGREG?': said('+CGREG: 2,1,"31C5","0083F7CD"'),
  'AT+CMGF=?': said('+CMGF: (0,1)'),
  'AT+CSQ': said('+CSQ: 17,99'),
}

/** A modem of the test that ModemManager speaks AT with, at an abstract socket; its SIM asks for a PIN. It never gets a data line. */
export async function openModem(pin: string) {
  const name = `abstract:modem:${process.pid}`
  const asked: string[] = []
  let [locked, tries] = [true, 3]
  // As what it says its network, and with what it would connect.
  let [format, context] = ['0', '']
  function answer(command: string): string {
    if (command === 'AT+CPIN?') return said(`+CPIN: ${locked ? 'SIM PIN' : 'READY'}`)
    // How often the PIN may still be tried; of its PUK, and of the second of both.
    if (command === 'AT+CSIM=10,"0020000100"') return said(`+CSIM: 4,"63C${tries}"`)
    if (command.startsWith('AT+CSIM=10,"002')) return said('+CSIM: 4,"63CA"')
    if (command.startsWith('AT+CPIN=')) {
      const isRight = command === `AT+CPIN="${pin}"`
      tries = isRight ? 3 : tries - 1
      if (isRight) locked = false
      return isRight ? ok : '\r\n+CME ERROR: 16\r\n'
    }
    const [, name, value] = /^AT\+(COPS=3|CGDCONT=1),(.*)$/.exec(command) ?? []
    if (name === 'COPS=3') format = value!
    if (name === 'CGDCONT=1') context = value!
    if (name) return ok
    // In UCS2, as it was asked for.
    if (command === 'AT+COPS?') return said(`+COPS: 0,${format},"${format === '2' ? '20408' : '004B0050004E'}",2`)
    if (command === 'AT+CGDCONT?') return context ? said(`+CGDCONT: 1,${context},"0.0.0.0",0,0`) : ok
    if (command.startsWith('ATD')) return '\r\nNO CARRIER\r\n'
    return answers[command] ?? '\r\nERROR\r\n'
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (piece: string) => {
      const commands = (rest + piece).split(/[\r\n]+/)
      rest = commands.pop()!
      for (const command of commands) {
        asked.push(command)
        socket.write(answer(command))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(`\0${name}`, resolve))
  return {
    name,
    asked,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
