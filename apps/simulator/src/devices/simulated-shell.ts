import type { StartShell } from '@masthead/agent/terminal/shell'
import type { PlannedDevice } from './device-plan.ts'
import { board } from './vitals.ts'

type ShownDevice = Pick<PlannedDevice, 'name' | 'iccid' | 'imei'> & {
  /** Who signs in; left out: root. */
  user?: string
  containers: () => readonly string[]
  logOf: (container: string) => string[]
}
type Program = (device: ShownDevice, words: readonly string[]) => string[]

const longestLine = 1000 // characters
const keptLines = 50
const booted = Date.now()
const pad = (n: number) => String(n).padStart(2, '0')
const upFor = () => {
  const minutes = Math.floor((Date.now() - booted) / 60_000) + 5 * 24 * 60
  return `${Math.floor(minutes / 1440)} days, ${Math.floor(minutes / 60) % 24}:${pad(minutes % 60)}`
}
const hostOf = ({ name }: ShownDevice) => name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
const userOf = ({ user = 'root' }: ShownDevice) => user
const homeOf = (device: ShownDevice) => (userOf(device) === 'root' ? '/root' : `/home/${userOf(device)}`)
const now = () => new Date()

/** All that a simulated device can do. None of it touches the machine that plays the device. */
const programs: Record<string, Program> = {
  help: () => [
    'This device is simulated. It knows:',
    `  ${Object.keys(programs).sort().join(', ')}`,
    '  docker ps, docker logs NAME, mmcli -m 0, ip addr, exit',
  ],
  cat: (_, [file = '']) =>
    file === '/etc/os-release'
      ? ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"', 'NAME="Debian GNU/Linux"', 'VERSION_ID="12"', 'ID=debian']
      : [`cat: ${file || 'name a file'}: No such file or directory`],
  clear: () => ['\u001b[H\u001b[2J'],
  date: () => [now().toUTCString()],
  df: () => [
    'Filesystem     Size  Used Avail Use% Mounted on',
    '/dev/mmcblk0p2  29G  6.1G   22G  23% /',
    '/dev/mmcblk0p1 253M   50M  203M  20% /boot/firmware',
  ],
  docker: (device, [what = '', name = '']) => {
    if (what === 'ps')
      return [
        'CONTAINER ID   NAMES',
        ...device.containers().map((each, i) => `${(0x3f9a1c + i * 7919).toString(16).padEnd(12, '0')}   ${each}`),
      ]
    if (what !== 'logs') return ['Usage: docker ps | docker logs NAME']
    return device.containers().includes(name) ? device.logOf(name) : [`Error response from daemon: No such container: ${name}`]
  },
  echo: (_, words) => [words.join(' ')],
  free: () => [
    '               total        used        free      shared  buff/cache   available',
    'Mem:         3981312      702144     2514432        3072      764736     3201024',
  ],
  hostname: (device) => [hostOf(device)],
  id: (device) => {
    const [number, user] = [userOf(device) === 'root' ? 0 : 1000, userOf(device)]
    return [`uid=${number}(${user}) gid=${number}(${user}) groups=${number}(${user})`]
  },
  ip: () => [
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536',
    '    inet 127.0.0.1/8 scope host lo',
    '2: eth0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500',
    '3: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500',
    '    inet 192.168.40.21/24 scope global dynamic wlan0',
    '4: wwan0: <POINTOPOINT,UP,LOWER_UP> mtu 1500',
    '    inet 10.64.12.81/30 scope global wwan0',
  ],
  ls: () => ['config.yaml  data  logs'],
  mmcli: ({ imei, iccid }) => [
    '  Status   |          state: connected',
    '           | signal quality: 71% (recent)',
    '           |    access tech: lte',
    `  3GPP     |           imei: ${imei ?? 'unknown'}`,
    `  SIM      |          iccid: ${iccid ?? 'none'}`,
  ],
  pwd: (device) => [homeOf(device)],
  uname: (device) => [`Linux ${hostOf(device)} ${board.kernel} #1 SMP PREEMPT ${board.machine} GNU/Linux`],
  uptime: () => {
    const at = now()
    return [
      ` ${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())} up ${upFor()},  1 user,  load average: 0.14, 0.10, 0.08`,
    ]
  },
  whoami: (device) => [userOf(device)],
}

/** The shell of a device that is played: it edits a line as a terminal does, remembers those before, and knows a few programs. It has no files. */
export const simulatedShell =
  (device: ShownDevice): StartShell =>
  ({ cols }, { onBytes, onExit }) => {
    const prompt = `\u001b[32m${userOf(device)}@${hostOf(device)}\u001b[0m:~${userOf(device) === 'root' ? '#' : '$'} `
    const before: string[] = []
    let [line, at, over] = ['', 0, false]
    const say = (text: string) => over || onBytes(Buffer.from(text))
    const show = (lines: readonly string[]) => say(lines.map((each) => `${each}\r\n`).join(''))
    const end = (code: number) => {
      if (over) return
      over = true
      onExit(code)
    }
    const take = (text: string) => {
      say(`\r\u001b[K${prompt}${text}`)
      line = text
    }
    const run = () => {
      say('\r\n')
      const [name = '', ...words] = line.trim().split(/\s+/)
      if (line.trim()) before.push(line)
      before.splice(0, before.length - keptLines)
      at = before.length
      line = ''
      if (name === 'exit' || name === 'logout') return end(0)
      if (name) show(Object.hasOwn(programs, name) ? programs[name]!(device, words) : [`-bash: ${name.slice(0, cols)}: command not found`])
      say(prompt)
    }
    /** A key, or the letters of one. */
    const press = (key: string) => {
      if (key === '\r' || key === '\n') run()
      else if (key === '\u0004' && line === '') end(0)
      else if (key === '\u0003') {
        line = ''
        say(`^C\r\n${prompt}`)
      } else if (key === '\u000c') say(`\u001b[H\u001b[2J${prompt}${line}`)
      else if (key === '\u0015') take('')
      else if (key === '\u007f' || key === '\b') take([...line].slice(0, -1).join(''))
      else if (key === '\u001b[A' || key === '\u001b[B') {
        at = Math.min(before.length, Math.max(0, at + (key.endsWith('A') ? -1 : 1)))
        take(before[at] ?? '')
      } else if (/^\P{C}+$/u.test(key) && line.length < longestLine) {
        line += key
        say(key)
      }
    }
    const decoder = new TextDecoder()
    setImmediate(() => {
      show(['This device is simulated: it knows a few programs, which `help` names.', ''])
      say(prompt)
    })
    return Promise.resolve({
      user: userOf(device),
      write: (bytes, taken) => {
        // eslint-disable-next-line no-control-regex
        for (const [key] of decoder.decode(bytes, { stream: true }).matchAll(/\u001b\[[0-9;]*[A-Za-z~]|./gsu)) if (!over) press(key)
        taken()
      },
      resize: () => {},
      pause: () => {},
      resume: () => {},
      end: () => {
        over = true
      },
    })
  }
