"""PyTorch, on one thread of the CPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from benchmarks.libraries.base import Function, Library


class Torch(Library):
    """Leaves and parameters are tensors that require a gradient."""

    name = "torch"
    package = "torch"

    def __init__(self) -> None:
        torch.set_num_threads(1)
        self.sin, self.exp, self.log, self.tanh = torch.sin, torch.exp, torch.log, torch.tanh
        self.relu, self.matmul, self.where = torch.relu, torch.matmul, torch.where
        self.softmax = lambda x: torch.softmax(x, -1)
        self.logsumexp = lambda x: torch.logsumexp(x, -1)
        self.sum, self.mean, self.prod, self.concat = torch.sum, torch.mean, torch.prod, torch.cat
        self.gather = lambda x, indices: torch.index_select(x, 0, indices)
        self.constant = torch.as_tensor

    def leaf(self, value: Any) -> Any:
        return torch.tensor(value, requires_grad=True)

    def to_numpy(self, x: Any) -> Any:
        return x.detach().numpy()

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return torch.autograd.grad(f(*leaves), leaves)

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return [torch.autograd.functional.jacobian(f, leaves[0])]

    def hessian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        return [torch.autograd.functional.hessian(f, leaves[0])]

    def hvp(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        x, v = leaves
        (dx,) = torch.autograd.grad(f(x), [x], create_graph=True)
        return torch.autograd.grad(dx, [x], grad_outputs=[v])

    def third(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        dx = torch.autograd.grad(f(*leaves), leaves, create_graph=True)
        ddx = torch.autograd.grad(dx, leaves, create_graph=True)
        return torch.autograd.grad(ddx, leaves)

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        weights = [self.leaf(value) for value in values]
        # PyTorch adds epsilon elsewhere; so the first step, which is compared, is Keras'.
        optimizer = torch.optim.Adam(weights, rate, eps=1e-7 / (1 - 0.999) ** 0.5)

        def step() -> Any:
            optimizer.zero_grad()
            f(*weights).backward()
            optimizer.step()
            return weights

        return step

    def retained(self, f: Function, leaves: Sequence[Any]) -> Callable[[], Any]:
        y = f(*leaves)
        return lambda: torch.autograd.grad(y, leaves, retain_graph=True)
