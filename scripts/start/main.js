#!/usr/bin/env node
import module from 'node:module';

// From Node 22.1 on, later runs reuse what this one compiles; Node keeps that in a folder of the user.
module.enableCompileCache?.();
await import('./command.js');
