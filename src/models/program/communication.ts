import type { Arguments } from './arguments.ts';
import { collective, fence } from './collective-call.ts';
import type { ControlNet, Point } from './control-net.ts';
import type { Here } from './here.ts';
import { oneSided } from './one-sided.ts';
import { takeComplete, test, wait, waitAny } from './requests.ts';
import { receive, send } from './send-receive.ts';
import type { Shaped } from './shape.ts';

/** Adds the net of a communication statement between two places of a program. */
export function emitCommunication(
  control: ControlNet,
  shaped: Shaped,
  label: string,
  own: Arguments,
  at: Point,
  next: Point,
): void {
  const here: Here = { control, shaped, label, own, at, next };
  const s = shaped.statement;
  switch (s.kind) {
    case 'send':
      send(here, s);
      break;
    case 'recv':
      receive(here, s);
      break;
    case 'wait':
      wait(here, s);
      break;
    case 'waitAny':
      waitAny(here, s);
      break;
    case 'test':
      test(here, s);
      break;
    case 'take':
      takeComplete(here, s);
      break;
    case 'collective':
      collective(here, s.request);
      break;
    case 'put':
    case 'get':
      oneSided(here, s.kind === 'put');
      break;
    case 'fence':
      fence(here);
      break;
    default:
      throw new Error(`no operation of message passing: ${s.kind}`);
  }
}
